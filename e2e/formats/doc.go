// Package formats tests the formats of reports that other programs read, with schemas and readers that other people wrote:
// those of package.json, in the versions that package-lock.json pins, and Go modules. ../setup installs the former; without
// them the tests skip.
//
// JUnit XML is checked by jenkins-junit.xsd, the strictest schema that a package has: what it allows, junit-10.xsd of
// Jenkins' xunit plugin allows, too, but for <failure> of other types that no file here has. SARIF is checked by the
// multitool of Microsoft, by the schema, the rules of SARIF and those of GitHub's code scanning.
package formats
