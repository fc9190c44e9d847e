/** The files that the configuration of a connector may name. */
package org.hadoopmpsr.ingest.decode.file;
