/** The files of a representation as planning reads them: by partition, as they were earlier, or of some segments. */
package org.hadoopmpsr.core.files;
