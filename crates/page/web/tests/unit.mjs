// Runs the tests of what the page computes by itself, without a browser: bundles tests/unit/*.test.mjs together with the
// source that they import, and hands them to Node's test runner.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const tests = (await readdir(join(here, "unit"))).filter((name) => name.endsWith(".test.mjs"));
const folder = await mkdtemp(join(tmpdir(), "mingle-unit-"));
try {
  await build({
    entryPoints: tests.map((name) => join(here, "unit", name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".css": "empty" },
    logLevel: "warning",
  });
  const bundles = tests.map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...bundles], { stdio: "inherit" }).status ?? 1;
} finally {
  await rm(folder, { recursive: true });
}
