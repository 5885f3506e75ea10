// Handing a text to the browser's downloads.

/** Saves a text as a file, without asking the program. */
export function download(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/toml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
