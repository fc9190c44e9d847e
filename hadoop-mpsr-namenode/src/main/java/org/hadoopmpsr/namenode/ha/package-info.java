/**
 * Loads MPSR's records when this NameNode starts as active or becomes active: reads allocation and datasets, and
 * completes commits. HDFS announces no transition. Every call and every periodic task therefore checks for one, which
 * costs a comparison. Thread-safe.
 */
package org.hadoopmpsr.namenode.ha;
