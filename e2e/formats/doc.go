// Package formats tests the formats of reports that other programs read, with schemas and readers that other people wrote:
// those of package.json, in the versions that package-lock.json pins, and Go modules. ../setup installs the former; without
// them the tests skip.
//
// JUnit XML is checked by jenkins-junit.xsd, because no package has the junit-10.xsd of Jenkins' xunit plugin. The older
// one is stricter about the order of elements; of the newer one, "failures" and "errors" are checked by themselves, which
// it requires. SARIF is checked by the multitool of Microsoft: by the schema, the rules of SARIF and those of GitHub's
// code scanning.
package formats
