/**
 * MPSR in the NameNode: datasets, node allocation, commits and planning, on top of the ordinary namespace. The plug-in
 * only connects the parts; {@code mpsr-core} makes the decisions. Nothing here may make the NameNode fail.
 */
package org.hadoopmpsr.namenode;
