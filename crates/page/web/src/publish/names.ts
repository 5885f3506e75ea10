// Names that are typed: of a release, which is a folder, and of a policy, which is a file; and the command line that
// repeats what the page does.

/** What is wrong with the name of a release; null if nothing is. */
export function releaseNameProblem(name: string): string | null {
  if (name === "") return "a release needs a name";
  if (name.length > 100) return "at most 100 characters";
  return PLAIN.test(name) ? null : "letters, digits, - _ and . only, beginning with a letter or digit";
}

/** What is wrong with the name of a policy's file; null if nothing is. */
export function policyNameProblem(name: string): string | null {
  if (!name.endsWith(".toml") || name === ".toml") return "a name that ends in .toml";
  return releaseNameProblem(name);
}

/** The command that publishes a policy. */
export function publishCommand(policy: string, release: string, force: boolean): string {
  return `mingle publish ${shellWord(policy)} --out ${shellWord(release)}${force ? " --force" : ""}`;
}

const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
