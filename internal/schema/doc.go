// Package schema reads JSON Schema as tools have it: the arguments of a tool are an object with properties, and few schemas
// have more than that.
//
// [Decode] returns a schema as a tree of [Node] that keeps the order of keys and follows local references. [Compile] makes
// of a decoded schema what values can be held against, within a bound on the work that [Compiled.Work] counts: schemas and
// arguments are the choice of servers and models. What a schema must be like, and what a flaw means, is for its users.
package schema
