/** The replica group of each DataNode, the readiness of the groups, and the data of the placement policies. */
package org.hadoopmpsr.namenode.nodes;
