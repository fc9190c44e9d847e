/** The Kafka Connect sink: the classes that Connect loads, and their configuration. */
package org.hadoopmpsr.ingest;
