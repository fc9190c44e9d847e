/**
 * Commits: a writer begins one, stages its files and publishes them in all groups or in none. A publish has five parts:
 *
 * <ol>
 *   <li>admission: {@link org.hadoopmpsr.namenode.commit.Commits} lets a bounded number of publishes wait, and each commit
 *       be published by one call at a time;
 *   <li>preparation: {@code StagedCommit} gives the staged files their owner, permissions and statistics, after
 *       {@code CommitCheck} has compared them with what the writer says and the groups' contents with each other;
 *   <li>protocol: {@code Publication} compares the commit's sources with the committed {@link
 *       org.hadoopmpsr.namenode.commit.Offsets} and makes the commit point, which is one rename;
 *   <li>placement: {@link org.hadoopmpsr.namenode.commit.RollForward} moves the files to their directories and records the
 *       new offsets, in short holds of the namesystem's lock;
 *   <li>recovery: the same class does what a crash or an error left of the placement.
 * </ol>
 *
 * {@link org.hadoopmpsr.namenode.commit.StagingExpiry} deletes what was staged and never published.
 */
package org.hadoopmpsr.namenode.commit;
