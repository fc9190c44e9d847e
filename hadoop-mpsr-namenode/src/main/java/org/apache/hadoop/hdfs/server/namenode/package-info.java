/** The bridge to what Hadoop keeps package-private in its NameNode. */
package org.apache.hadoop.hdfs.server.namenode;
