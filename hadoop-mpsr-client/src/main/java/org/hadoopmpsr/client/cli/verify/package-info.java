/** {@code hdfs mpsr verify}. */
package org.hadoopmpsr.client.cli.verify;
