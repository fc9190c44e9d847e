/**
 * Segments of datasets: their records in the store, what can be said of the current ones, and what a rewrite has replaced, until
 * it is deleted.
 */
package org.hadoopmpsr.namenode.segment;
