/** Bridge classes to package-private code in Hadoop's NameNode. */
package org.apache.hadoop.hdfs.server.namenode;
