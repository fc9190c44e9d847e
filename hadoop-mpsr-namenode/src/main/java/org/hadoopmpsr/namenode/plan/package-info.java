/**
 * Plans reads: which group answers a filter with the least work, and which of its files. {@link
 * org.hadoopmpsr.namenode.plan.Planning} is the way in.
 */
package org.hadoopmpsr.namenode.plan;
