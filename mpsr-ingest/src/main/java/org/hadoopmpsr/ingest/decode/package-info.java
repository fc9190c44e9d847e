/** From a Kafka record's value to the columns of the buffer. */
package org.hadoopmpsr.ingest.decode;
