// Bundles the page into dist/, which is committed so that building the program needs no Node.
// `node build.mjs --verify` builds into a temporary folder and compares: dist/ must follow from its source and the lock
// file, byte for byte.
import { build } from "esbuild";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const files = ["index.html", "page.js", "page.css"];
const bundled = ["preact", "@preact/signals", "@preact/signals-core"];

async function licences() {
  const texts = bundled.map(async (name) => {
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `/*! ${name}\n\n${text.trim()}\n*/\n`;
  });
  return (await Promise.all(texts)).join("");
}

async function buildInto(folder) {
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: here,
    entryPoints: { page: "src/main.tsx" },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    footer: { js: await licences() },
    logLevel: "warning",
  });
  await cp(join(here, "src/index.html"), join(folder, "index.html"));
}

async function verify() {
  const folder = await mkdtemp(join(tmpdir(), "mingle-page-"));
  try {
    await buildInto(folder);
    const read = (parent, file) => readFile(join(parent, file)).catch(() => Buffer.from("missing"));
    const differing = [];
    for (const file of files) {
      if (!(await read(folder, file)).equals(await read(join(here, "dist"), file))) differing.push(file);
    }
    if (differing.length > 0) {
      console.error(`dist/ does not follow from its source: ${differing.join(", ")}; run \`npm run build\``);
      process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (process.argv.includes("--verify")) await verify();
else await buildInto(join(here, "dist"));
