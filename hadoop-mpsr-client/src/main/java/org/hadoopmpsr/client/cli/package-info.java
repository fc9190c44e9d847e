/** The commands of {@code hdfs mpsr}: they parse, call {@code MpsrClient} and print. */
package org.hadoopmpsr.client.cli;
