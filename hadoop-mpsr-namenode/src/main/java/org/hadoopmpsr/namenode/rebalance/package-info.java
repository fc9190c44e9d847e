/** Moves DataNodes from one replica group to another: the plan, its steps, and the copies that leave a node before. */
package org.hadoopmpsr.namenode.rebalance;
