// Package annotate is everything GitHub: what a workflow says to the action and what the action says to the workflow, to
// the checks of a commit and to the people on a pull request.
//
// In come the inputs ([ReadInputs]) and the event ([ReadEvent]) from the environment, a report, its annotations (package
// annotation), and the Markdown that was made of it. Out go the annotations in a check run, or as workflow commands where the token may not
// write checks; one comment on the pull request; the job summary; and the outputs. A [Publisher] does all of it in
// order, and none of it changes the verdict: what could not be published is said in a warning, with the way to grant it.
//
// [Client.Files] gives a commit's files as an fs.FS, for a base or a head that is not in the local clone.
//
// Every text that comes from suites, recordings, catalogs, servers and models is hostile. It is escaped where it is
// written, by one function for each medium: see escape.go.
//
// To add an input or an output: a row of [InputTable] or [OutputTable], and the field that takes it. action.yml and the
// tables of the documentation are made from the rows.
package annotate
