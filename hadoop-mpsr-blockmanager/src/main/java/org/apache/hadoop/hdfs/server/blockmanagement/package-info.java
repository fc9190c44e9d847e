/** Bridge classes to what Hadoop keeps package-private in its block management. */
package org.apache.hadoop.hdfs.server.blockmanagement;
