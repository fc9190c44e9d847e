/**
 * MPSR's records in the namespace: files and directories, extended attributes, and rights. This package knows inodes,
 * and no datasets.
 */
package org.hadoopmpsr.namenode.store;
