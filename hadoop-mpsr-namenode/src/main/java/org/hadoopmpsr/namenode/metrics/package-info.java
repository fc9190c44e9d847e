/** The counters of MPSR, for Hadoop's metrics. */
package org.hadoopmpsr.namenode.metrics;
