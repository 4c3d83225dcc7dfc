// Package formats tests the formats of reports that other programs read, with schemas and readers that other people wrote:
// those of package.json, in the versions that package-lock.json pins, and Go modules. ../setup installs the former; without
// them the tests skip.
//
// JUnit XML is checked by libxml2, by jenkins-junit.xsd, which a package has, and by the newer junit-10.xsd of Jenkins' xunit plugin,
// which none has: it is read from the folder that MCP_GATES_DATA names, with its checksum, and without it only "failures" and
// "errors" are checked, which it requires. The older one is stricter about the order of elements. SARIF is checked by the multitool of Microsoft: by the schema, the rules of SARIF and those of GitHub's
// code scanning.
package formats
