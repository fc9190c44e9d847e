/** What MPSR counts, for Hadoop's metrics. */
package org.hadoopmpsr.namenode.metrics;
