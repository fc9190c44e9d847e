/** Copies of blocks on nodes of another group, and the DataNodes' reports about them. */
package org.hadoopmpsr.namenode.copies;
