/** {@code hdfs mpsr rebuild}. */
package org.hadoopmpsr.client.cli.rebuild;
