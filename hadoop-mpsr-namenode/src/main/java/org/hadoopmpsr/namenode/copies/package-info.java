/** Copies of blocks that came to a node of another group, and what DataNodes report about them. */
package org.hadoopmpsr.namenode.copies;
