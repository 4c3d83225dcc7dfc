// Package annotate connects the action to GitHub: it reads the inputs that a workflow sets, and publishes results to the
// workflow, to the checks of a commit and to the readers of a pull request.
//
// It reads the inputs ([ReadInputs]) and the event ([ReadEvent]) from the environment, and takes a report, its annotations
// (package annotation), and its Markdown. A [Publisher] publishes, in this order, the annotations in a check run, or as workflow
// commands if the token may not write checks; one comment on the pull request; the job summary; and the outputs. A failure to
// publish never changes the verdict: it becomes a warning with advice for granting the permission.
//
// [Client.Files] returns a commit's files as an fs.FS, for a base or a head that is not in the local clone.
//
// Every text that comes from suites, recordings, catalogs, servers and models is hostile. It is escaped where it is
// written, by one function for each medium: see escape.go.
//
// To add an input or an output: a row of [InputTable] or [OutputTable], and the field that takes it. action.yml and the
// tables of the documentation are made from the rows.
package annotate
