/** The calls of clients, DataNodes and Movers to HDFS that concern datasets, in front of the NameNode's own services. */
package org.hadoopmpsr.namenode.guard;
