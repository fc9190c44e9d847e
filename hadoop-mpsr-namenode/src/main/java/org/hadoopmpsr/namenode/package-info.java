/**
 * MPSR in the NameNode: datasets, node allocation, commits and planning, on top of the ordinary namespace. The plugin
 * only wires; decisions come from {@code mpsr-core}. Nothing here may make the NameNode fail.
 */
package org.hadoopmpsr.namenode;
