/** The model and the decisions of MPSR as plain functions, without Hadoop, Kafka or Spark. */
package org.hadoopmpsr.core;
