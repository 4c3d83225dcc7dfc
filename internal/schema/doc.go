// Package schema reads JSON Schema as tools have it: the arguments of a tool are an object with properties, and few schemas
// have more than that.
//
// [Decode] returns a schema as a tree of [Node] that keeps the order of keys and follows local references. [Compile] compiles
// a decoded schema, so that values can be validated within a bound on the work that [Compiled.Work] counts: servers choose
// the schemas, and models the arguments. The users of this package decide which schemas are good, and how bad a flaw is.
package schema
