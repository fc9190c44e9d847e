/** From protobuf messages to the columns of the buffer. */
package org.hadoopmpsr.ingest.decode.protobuf;
