/**
 * Which DataNode belongs to which replica group, whether the groups have the nodes that they need, and what the placement
 * policies are told about it.
 */
package org.hadoopmpsr.namenode.nodes;
