/** How far the topic-partitions of a task are read, and what missing offsets and new topics mean. */
package org.hadoopmpsr.ingest.source;
