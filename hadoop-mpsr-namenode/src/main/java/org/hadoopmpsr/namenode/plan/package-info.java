/**
 * Plans reads: finds the group that answers a filter with the least work, and its files. {@link
 * org.hadoopmpsr.namenode.plan.Planning} is the façade.
 */
package org.hadoopmpsr.namenode.plan;
