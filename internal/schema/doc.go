// Package schema reads JSON Schema as tools use it: most schemas describe a tool's arguments, an object with properties.
//
// [Decode] returns a schema as a tree of [Node] that keeps the order of keys and follows local references. [Compile] compiles a
// decoded schema, so that values can be validated within a bound on the work that [Compiled.Work] counts: servers control the
// schemas, and models the arguments. The users of this package decide which schemas are good, and how serious a flaw is.
package schema
