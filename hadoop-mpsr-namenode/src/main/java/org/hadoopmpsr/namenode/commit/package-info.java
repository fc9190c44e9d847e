/**
 * Commits: a writer begins one, stages its files and publishes them in all groups or in none. {@link
 * org.hadoopmpsr.namenode.commit.Commits} is the way in.
 */
package org.hadoopmpsr.namenode.commit;
