/**
 * Who may read the representations of a dataset: the rights of all that lies below the dataset directory, as HDFS's
 * permission checks need them.
 */
package org.hadoopmpsr.namenode.rights;
