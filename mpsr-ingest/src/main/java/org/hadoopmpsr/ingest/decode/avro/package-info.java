/** From Avro records to the columns of the buffer. */
package org.hadoopmpsr.ingest.decode.avro;
