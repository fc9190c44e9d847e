/**
 * The published files of a dataset by group and partition, with their statistics and blocks, and whether the namespace
 * still holds what was published. Kept in memory and built from the namespace when first needed.
 */
package org.hadoopmpsr.namenode.index;
