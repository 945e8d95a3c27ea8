// node verdicts.mjs PACKAGES CASES: compiles the schemas with tsc in strict mode and prints, for each [name, record]
// of the JSON file CASES, whether zod accepts it. PACKAGES is a folder with zod and typescript in its node_modules.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [packages, cases] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "hansei-zod-"));
try {
  for (const name of ["package.json", "tsconfig.json", "src"]) {
    cpSync(join(source, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(packages, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, [join(folder, "node_modules/typescript/bin/tsc"), "-p", folder, "--outDir", join(folder, "out")], {
    stdio: ["ignore", 2, 2],
  });
  const { reflectionV1, selfReportV1, receiptV1 } = await import(pathToFileURL(join(folder, "out/index.js")).href);
  const schemas = { "reflection.v1": reflectionV1, "self-report.v1": selfReportV1, "receipt.v1": receiptV1 };
  const verdicts = JSON.parse(readFileSync(cases, "utf8")).map(([name, record]) => schemas[name].safeParse(record).success);
  process.stdout.write(JSON.stringify(verdicts));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
