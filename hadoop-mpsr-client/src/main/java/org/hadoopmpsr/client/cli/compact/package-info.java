/** {@code hdfs mpsr compact}. */
package org.hadoopmpsr.client.cli.compact;
