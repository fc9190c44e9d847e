/**
 * MPSR's records in the namespace: how files and directories are found, which extended attributes hold what, and who may
 * read it. Knows inodes, not datasets.
 */
package org.hadoopmpsr.namenode.store;
