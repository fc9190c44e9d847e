/**
 * Changes of datasets: a writer begins one, stages its files and publishes them in all groups or in none. A publish has five
 * parts:
 *
 * <ol>
 *   <li>admission: {@link org.hadoopmpsr.namenode.commit.Commits} lets a bounded number of publishes wait, and each change
 *       be published by one call at a time; {@link
 *       org.hadoopmpsr.namenode.writer.Admission} decides who may;
 *   <li>preparation: {@code StagedCommit} gives the staged files their owner, permissions and statistics, after
 *       {@link org.hadoopmpsr.namenode.check.CommitCheck} has compared them with what the writer says and the groups' contents with each other; {@link
 *       org.hadoopmpsr.namenode.exchange} finds and checks the files that a change replaces;
 *   <li>protocol: {@code Publication} asks the rules of the kind of change, {@code AppendRules}, {@code RewriteRules}, {@code
 *       RebuildRules}, {@code AcceptRules}, {@code OverwriteRules} or {@code AdoptRules}, and
 *       makes the commit point, which is one rename;
 *   <li>placement: {@code AppendCompletion}, {@code RewriteCompletion}, {@code RebuildCompletion} or {@code AdoptCompletion} moves the files to their directories and makes the
 *       records, in short holds of the namesystem's lock;
 *   <li>recovery: {@link org.hadoopmpsr.namenode.commit.RollForward} does what a crash or an error left of the placement.
 * </ol>
 */
package org.hadoopmpsr.namenode.commit;
