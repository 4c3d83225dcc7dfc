// Checks the file of the second argument by the XSD of the first: exit status 1 and what is wrong, or 0.
import { readFileSync } from "node:fs";
import { validateXML } from "xmllint-wasm";

const [schema, file] = process.argv.slice(2).map((name) => readFileSync(name, "utf8"));
const { valid, rawOutput } = await validateXML({ xml: [{ fileName: "report.xml", contents: file }], schema: [schema] });
if (!valid) {
  console.log(rawOutput);
  process.exit(1);
}
