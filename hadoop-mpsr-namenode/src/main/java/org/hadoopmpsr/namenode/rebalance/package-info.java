/**
 * Moves DataNodes from one replica group to another: the plan, its steps, and the copies of blocks that leave a node
 * first.
 */
package org.hadoopmpsr.namenode.rebalance;
