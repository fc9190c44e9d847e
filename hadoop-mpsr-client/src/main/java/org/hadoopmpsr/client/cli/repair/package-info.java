/** The command {@code hdfs mpsr repair}. */
package org.hadoopmpsr.client.cli.repair;
