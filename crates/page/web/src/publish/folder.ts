// Where the program writes, in words.

/** The folder of releases and policies; a dot says little to who does not live in a terminal. */
export function folderWords(folder: string): string {
  return folder === "." || folder === "" ? "the folder that the program was started in" : folder;
}
